package cluster

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
)

const loopbackIP = "127.0.0.1"

// Ports are picked below the range that kernels give to outgoing connections (from 32768 or 49152
// on), so that no connection of somebody else takes the API server's port while a test has it
// stopped.
const (
	lowestPort  = 20000
	highestPort = 32000 // exclusive
	portTries   = 200
	portsWanted = 5
)

type ports struct {
	apiServer, etcd, etcdPeer, events, eventsPeer int
}

// freePorts returns ports that nothing listens on now. Another process may take one before a server
// does; see isPortTaken.
func freePorts() (ports, error) {
	var found []int
	for try := 0; try < portTries && len(found) < portsWanted; try++ {
		port := lowestPort + rand.IntN(highestPort-lowestPort)
		listener, err := net.Listen("tcp", loopback(port))
		if err != nil {
			continue
		}
		defer listener.Close() // held until all are found, so that none is found twice
		found = append(found, port)
	}
	if len(found) < portsWanted {
		return ports{}, fmt.Errorf("no %d free ports between %d and %d on %s in %d tries: end some of the servers there",
			portsWanted, lowestPort, highestPort-1, loopbackIP, portTries)
	}
	return ports{apiServer: found[0], etcd: found[1], etcdPeer: found[2], events: found[3], eventsPeer: found[4]}, nil
}

func loopback(port int) string { return net.JoinHostPort(loopbackIP, strconv.Itoa(port)) }

// isPortTaken tells whether a server ended because somebody else listens on its port.
func isPortTaken(err error) bool {
	var failed *serverError
	return errors.As(err, &failed) && strings.Contains(failed.log, "address already in use")
}

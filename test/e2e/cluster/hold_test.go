package cluster

import (
	"context"
	"fmt"
	"os"
)

// orphanVariable makes the test binary start a cluster in the folder that it names, print the
// servers' process ids and wait.
const orphanVariable = "EVENT_GEN_TEST_HOLD_CLUSTER"

func holdCluster() {
	c, err := Start(context.Background(), Options{Dir: os.Getenv(orphanVariable)})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(c.apiServer.pid(), c.etcd.pid())
	select {}
}

package cluster

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Kubectl runs the real kubectl as the administrator and returns what it printed on its standard
// output, also when it fails. The error carries the command line and its standard error. The
// kubectl settings and caches of the user who runs the tests are not used. The process is killed
// when ctx ends.
func (c *Cluster) Kubectl(ctx context.Context, args ...string) (stdout string, err error) {
	cmd := exec.CommandContext(ctx, c.paths.Kubectl, args...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+c.Kubeconfig(), "HOME="+c.dir, "KUBECACHEDIR=", "KUBERC=off")
	cmd.WaitDelay = 5 * time.Second
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("kubectl %s: %w: %s", strings.Join(args, " "), err, bytes.TrimSpace(errOut.Bytes()))
	}
	return out.String(), nil
}

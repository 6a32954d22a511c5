package systems

import (
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// CronJob makes an object as an informer would hold it: a name of 30 bytes, a UID of 36, and no kind.
func CronJob(n int) *batchv1.CronJob {
	return &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{
		Namespace:       "benchmarks",
		Name:            fmt.Sprintf("nightly-backup-of-shop-%07d", n),
		UID:             uid(n),
		ResourceVersion: "123456",
	}}
}

// CronJobs makes n of them.
func CronJobs(n int) []*batchv1.CronJob {
	all := make([]*batchv1.CronJob, n)
	for i := range all {
		all[i] = CronJob(i)
	}
	return all
}

// Jobs makes n names.
func Jobs(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("nightly-backup-of-shop-%07d", i)
	}
	return all
}

func uid(n int) types.UID { return types.UID(fmt.Sprintf("5f1c2e9a-7b3d-4c6e-9a10-%012d", n)) }

// UIDs makes n of them.
func UIDs(n int) []types.UID {
	all := make([]types.UID, n)
	for i := range all {
		all[i] = uid(i)
	}
	return all
}

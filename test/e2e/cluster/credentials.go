package cluster

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
)

// Names of the files in the cluster's folder that the API server reads.
const (
	servingCertFile       = "serving.crt"
	servingKeyFile        = "serving.key"
	serviceAccountKeyFile = "service-account.key"
	tokenFile             = "tokens.csv"
)

// adminUser is in the group that RBAC lets do everything.
const (
	adminUser  = "admin"
	adminGroup = "system:masters"
)

const serviceAccountKeyBits = 2048

// credentials are made anew for each cluster and do not change while it exists.
type credentials struct {
	servingCert       []byte // PEM, followed by the authority that signed it
	servingKey        []byte // PEM
	serviceAccountKey []byte // PEM
	adminToken        string
	userTokens        map[string]string
}

func newCredentials(users []string) (credentials, error) {
	crt, key, err := cert.GenerateSelfSignedCertKey(loopbackIP, nil, []string{"localhost"})
	if err != nil {
		return credentials{}, fmt.Errorf("make the API server's certificate: %w", err)
	}
	serviceAccountKey, err := newServiceAccountKey()
	if err != nil {
		return credentials{}, fmt.Errorf("make the service account key: %w", err)
	}
	tokens := make(map[string]string, len(users))
	for _, user := range users {
		tokens[user] = rand.Text()
	}
	return credentials{servingCert: crt, servingKey: key, serviceAccountKey: serviceAccountKey,
		adminToken: rand.Text(), userTokens: tokens}, nil
}

func newServiceAccountKey() ([]byte, error) {
	key, err := rsa.GenerateKey(rand.Reader, serviceAccountKeyBits)
	if err != nil {
		return nil, err
	}
	return keyutil.MarshalPrivateKeyToPEM(key)
}

// tokens returns the content of the token file: token, user name, user id and groups in each line.
func (c credentials) tokens() (string, error) {
	rows := [][]string{{c.adminToken, adminUser, adminUser, adminGroup}}
	for user, token := range c.userTokens {
		rows = append(rows, []string{token, user, user})
	}
	slices.SortFunc(rows[1:], func(a, b []string) int { return strings.Compare(a[1], b[1]) })
	var text strings.Builder
	err := csv.NewWriter(&text).WriteAll(rows)
	return text.String(), err
}

func (c *Cluster) writeFiles() error {
	tokens, err := c.creds.tokens()
	if err != nil {
		return err
	}
	return errors.Join(
		c.writeSecret(servingCertFile, c.creds.servingCert),
		c.writeSecret(servingKeyFile, c.creds.servingKey),
		c.writeSecret(serviceAccountKeyFile, c.creds.serviceAccountKey),
		c.writeSecret(tokenFile, []byte(tokens)),
		c.writeKubeconfig(),
	)
}

func (c *Cluster) writeSecret(name string, data []byte) error {
	return os.WriteFile(filepath.Join(c.dir, name), data, 0o600)
}

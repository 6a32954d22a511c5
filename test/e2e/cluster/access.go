package cluster

import (
	"crypto/rand"
	"net/http"
	"path/filepath"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

const kubeconfigFile = "kubeconfig"

// RESTConfig returns how to reach the API server as an administrator who may do everything. Each
// call returns a new value, which the caller may change. Its client-side rate limit is client-go's
// default: 5 requests a second after a burst of 10.
func (c *Cluster) RESTConfig() *rest.Config { return c.configWith(c.creds.adminToken) }

// UserConfig is RESTConfig for another user: LimitedUser or one of Options.Users, who may do only
// what RBAC rules of the test allow, and is answered 403 otherwise. A name that the cluster was not
// started with gets a token that the server does not know, so that it is answered 401.
func (c *Cluster) UserConfig(name string) *rest.Config {
	token, known := c.creds.userTokens[name]
	if !known {
		token = rand.Text()
	}
	return c.configWith(token)
}

func (c *Cluster) configWith(token string) *rest.Config {
	return &rest.Config{
		Host:            c.apiServerURL(),
		BearerToken:     token,
		TLSClientConfig: rest.TLSClientConfig{CAData: append([]byte(nil), c.creds.servingCert...)},
	}
}

// Kubeconfig returns the absolute path of a kubeconfig file with the administrator's token. Stop
// removes it.
func (c *Cluster) Kubeconfig() string { return filepath.Join(c.dir, kubeconfigFile) }

// KubectlDir returns the absolute path of the folder that holds kubectl, for a PATH.
func (c *Cluster) KubectlDir() string { return filepath.Dir(c.paths.Kubectl) }

func (c *Cluster) writeKubeconfig() error {
	const name = "event-gen-test"
	config := clientcmdapi.NewConfig()
	config.Clusters[name] = &clientcmdapi.Cluster{Server: c.apiServerURL(), CertificateAuthorityData: c.creds.servingCert}
	config.AuthInfos[adminUser] = &clientcmdapi.AuthInfo{Token: c.creds.adminToken}
	config.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: adminUser, Namespace: "default"}
	config.CurrentContext = name
	return clientcmd.WriteToFile(*config, c.Kubeconfig())
}

// probeClient keeps no connection, and thus no goroutine, between two requests.
func (c *Cluster) probeClient() (*http.Client, error) {
	tls, err := rest.TLSConfigFor(c.RESTConfig())
	if err != nil {
		return nil, err
	}
	return &http.Client{Transport: &http.Transport{TLSClientConfig: tls, DisableKeepAlives: true}}, nil
}

// Package browser tests the page of event-gen docs --format=html in a real Chromium.
package browser

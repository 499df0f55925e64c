#!/bin/sh
# Takes operator website away. Everything that it manages is deleted. Objects go first, while the operator can take
# them down; if that does not end, see what their status says: kubectl describe.
set -eu

# 1. The objects, and with them what they own.
kubectl delete websites.example.pawl.dev --all --all-namespaces --wait --timeout=30m

# 2. The operator.
kubectl delete deployment/website poddisruptionbudget/website service/website-metrics configmap/website-config configmap/website-dashboard -n web-system --ignore-not-found
kubectl delete lease/pawl-website -n web-system --ignore-not-found
kubectl delete serviceaccount/website -n web-system --ignore-not-found
kubectl delete clusterrole/web-system-website --ignore-not-found
kubectl delete clusterrolebinding/web-system-website --ignore-not-found
kubectl delete role/website -n web-system --ignore-not-found
kubectl delete rolebinding/website -n web-system --ignore-not-found
# Only where the Prometheus operator is installed:
# kubectl delete servicemonitor/website prometheusrule/website -n web-system --ignore-not-found

# 3. The kinds.
kubectl delete crd/websites.example.pawl.dev --ignore-not-found
# The namespace, if nothing else is in it:
# kubectl delete namespace/web-system --ignore-not-found

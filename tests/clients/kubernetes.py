"""Validates the manifests of a directory against the schemas of Kubernetes, strictly, and prints each as a line of JSON."""
import json, pathlib, sys
import kubernetes_validate, yaml

for file in sorted(pathlib.Path(sys.argv[1]).glob("*.yaml")):
    for manifest in yaml.safe_load_all(file.read_text()):
        if manifest["kind"] != "Kustomization":
            kubernetes_validate.validate(manifest, kubernetes_validate.latest_version(), strict=True)
        print(json.dumps(manifest))

// How Argo CD tells the health of the kinds of the packages: a script for each, as a patch of its configuration.
import { groupOf } from '@pawl/reconciler/kubernetes';
import type { Manifest } from './manifest.ts';
import type { ManifestOptions } from './options.ts';

/** Health by phase and the three conditions that every object has. Argo CD runs it for each object. */
const SCRIPT = `local hs = { status = "Progressing", message = "waiting for the operator" }
if obj.status == nil or obj.status.conditions == nil then return hs end
local found = {}
for _, condition in ipairs(obj.status.conditions) do found[condition.type] = condition end
local procedure = obj.status.procedure or {}
if procedure.summary ~= nil then hs.message = procedure.summary end
if found.Stalled ~= nil and found.Stalled.status == "True" then
  hs.status = "Degraded"
  hs.message = found.Stalled.message
  return hs
end
if procedure.phase == "Blocked" then
  hs.status = "Degraded"
  return hs
end
if procedure.phase == "Paused" or procedure.phase == "Held" then
  hs.status = "Suspended"
  return hs
end
if obj.status.observedGeneration ~= obj.metadata.generation then return hs end
if found.Reconciling ~= nil and found.Reconciling.status == "True" then return hs end
if found.Ready ~= nil and found.Ready.status == "True" then hs.status = "Healthy" end
return hs
`;

/** A ConfigMap to be merged into Argo CD's own. */
export function argocdHealthOf({ packages }: Pick<ManifestOptions, 'packages'>): readonly Manifest[] {
  const kinds = packages.flatMap(({ kinds: catalogs }) => catalogs.map(({ resource }) => resource));
  const data = Object.fromEntries(
    kinds.map(({ apiVersion, kind }) => [`resource.customizations.health.${groupOf(apiVersion)}_${kind}`, SCRIPT]),
  );
  return [
    {
      object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'argocd-cm', namespace: 'argocd' }, data },
      comment: 'Merge it: kubectl patch configmap argocd-cm -n argocd --type merge --patch-file FILE',
    },
  ];
}

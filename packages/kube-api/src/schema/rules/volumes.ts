// Volumes of pods.
import { isObject } from '../../json.ts';
import type { JsonObject } from '../../json.ts';
import { labelName } from '../../server/names.ts';
import { entriesAt, textAt } from './faults.ts';
import type { Faults } from './faults.ts';
import { checkRelativePath } from './texts.ts';

const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** The volumes of a pod spec; returns their names. */
export function checkVolumes(spec: JsonObject, path: string, faults: Faults): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [volume, place] of entriesAt(spec, 'volumes', path)) {
    const name = textAt(volume, 'name');
    checkSources(volume, place, faults);
    faults.name(`${place}.name`, name, labelName);
    if (name !== '' && names.has(name)) faults.duplicate(`${place}.name`, name);
    names.add(name);
  }
  return names;
}

function checkSources(volume: JsonObject, path: string, faults: Faults): void {
  let count = 0;
  for (const [kind, source] of Object.entries(volume)) {
    if (kind === 'name' || !isObject(source)) continue;
    const place = `${path}.${kind}`;
    if (++count > 1) faults.forbidden(place, 'may not specify more than 1 volume type');
    else checkSource(kind, source, place, faults);
  }
}

function checkSource(kind: string, source: JsonObject, path: string, faults: Faults): void {
  const needed = (key: string): void => {
    if (textAt(source, key) === '') faults.required(`${path}.${key}`);
  };
  switch (kind) {
    case 'hostPath':
      needed('path');
      if (textAt(source, 'path').split('/').includes('..'))
        faults.invalid(`${path}.path`, source['path'], "must not contain '..'");
      faults.oneOf(`${path}.type`, source['type'], HOST_PATH_TYPES);
      return;
    case 'secret':
      needed('secretName');
      checkFiles(source, path, faults);
      return;
    case 'configMap':
      needed('name');
      checkFiles(source, path, faults);
      return;
    case 'persistentVolumeClaim':
      needed('claimName');
      return;
    case 'nfs':
      needed('server');
      needed('path');
      if (!textAt(source, 'path').startsWith('/'))
        faults.invalid(`${path}.path`, textAt(source, 'path'), 'must be an absolute path');
      return;
    case 'csi':
      needed('driver');
      return;
    default:
  }
}

function checkFiles(source: JsonObject, path: string, faults: Faults): void {
  checkMode(source, 'defaultMode', path, faults);
  for (const [item, place] of entriesAt(source, 'items', path)) {
    if (textAt(item, 'key') === '') faults.required(`${place}.key`);
    checkRelativePath(`${place}.path`, textAt(item, 'path'), faults);
    checkMode(item, 'mode', place, faults);
  }
}

function checkMode(owner: JsonObject, key: string, path: string, faults: Faults): void {
  const mode = owner[key];
  if (typeof mode === 'number' && (mode < 0 || mode > 0o777)) {
    faults.invalid(`${path}.${key}`, mode, 'must be a number between 0 and 0777 (octal), both inclusive');
  }
}

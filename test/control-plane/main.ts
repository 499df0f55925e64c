// Command line: `node test/control-plane/main.mjs build | env`.
import { findBinaries, howToGetBinaries } from './binaries.ts';
import { buildControlPlane } from './build.ts';
import { cacheFolder, readPins } from './pins.ts';

const usage = `usage: node test/control-plane/main.mjs COMMAND

  build   build kube-apiserver, kube-controller-manager and etcd from Go modules into a cache outside of the repository
  env     print the pinned versions, and where the binaries are or how to get them`;

function printEnv(): void {
  const pins = readPins();
  const binaries = findBinaries();
  console.log(`kubernetes          ${pins.kubernetes}`);
  console.log(`etcd                ${pins.etcd}`);
  console.log(`cache               ${cacheFolder(pins)}`);
  if (binaries === undefined) {
    console.log(`not built: ${howToGetBinaries}`);
    process.exitCode = 1;
    return;
  }
  console.log(`kube-apiserver      ${binaries.apiServer}`);
  console.log(`etcd program        ${binaries.etcd}`);
  console.log(`controller manager  ${binaries.controllerManager ?? 'none'}`);
}

const command = process.argv[2];
if (command === 'build') await buildControlPlane(console.log);
else if (command === 'env') printEnv();
else {
  console.error(usage);
  process.exitCode = 2;
}

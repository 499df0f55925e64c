#!/usr/bin/env node
// The `pawl` command: one command line of this process, and its exit code.
import { enableCompileCache } from 'node:module';
import { nodePorts } from './node-ports.ts';
import { runProgram } from './program.ts';

// What a verb needs is imported when it runs: from the second start on, without being compiled again.
enableCompileCache();
// The monotonic clock starts with the process.
process.exitCode = await runProgram(process.argv.slice(2), nodePorts(), 0);

// Entry point of @pawl/cli: the command as functions, with everything from outside handed in.
export type { DemoOptions } from './demo/options.ts';
export { nodePorts } from './node-ports.ts';
export type { ChildProcess, Files, Ports, ProcessEnd, Terminal, ToolEnd } from './ports.ts';
export { createProgram, runProgram } from './program.ts';
export { runDemo } from './demo/run-demo.ts';

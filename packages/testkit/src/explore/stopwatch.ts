// Real time, for budgets only. Taken before anything replaces the clock of the process.
const { performance } = globalThis;
const read = performance.now.bind(performance);

/** Milliseconds since some moment. */
export const now = (): number => read();

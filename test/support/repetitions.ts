/**
 * How often a spec repeats something that shows a fault only sometimes: a race, or a random sequence.
 * @param few in `npm run test:all`
 * @param many in `npm run long -- races`
 */
export const repetitions = (few: number, many: number): number => (process.env['LONG_RUN'] === 'true' ? many : few);

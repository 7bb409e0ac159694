export const [PERSON, OTHER_PERSON] = ['655f1c2ab1e4a9d3f0c81230', '655f1c2ab1e4a9d3f0c81231'] as const;
export const UNKNOWN = '0'.repeat(24);
// In the future, so that the store does not delete what expires then.
export const NOW = new Date('2126-11-21T12:00:00.000Z');
export const LATER = new Date('2126-11-22T12:00:00.000Z');

/** Runs the same work twice at the same time. */
export const twice = <Result>(work: () => Promise<Result>): Promise<Result[]> => Promise.all([work(), work()]);

/** How many records a reader in batches is tested with: none, one, one less than a batch, a full one, one more, and more than two. */
export const aroundBatches = (size: number): readonly number[] => [0, 1, size - 1, size, size + 1, 2 * size + 1];

/** All shops that `next` finds, one after the other. @param after the one before the first */
export async function* shopsInOrder(
  next: (after: string | null) => Promise<string | null>,
  after: string | null = null,
): AsyncGenerator<string, void> {
  for (let shopId = await next(after); shopId !== null; shopId = await next(shopId)) yield shopId;
}

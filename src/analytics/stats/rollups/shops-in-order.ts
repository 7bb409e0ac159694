/** All shops that `next` finds, one after the other. */
export async function* shopsInOrder(
  next: (after: string | null) => Promise<string | null>,
): AsyncGenerator<string, void> {
  for (let shopId = await next(null); shopId !== null; shopId = await next(shopId)) yield shopId;
}

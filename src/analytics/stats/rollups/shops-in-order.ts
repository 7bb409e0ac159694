/** Iterates over all shops that `next` finds. */
export async function* shopsInOrder(
  next: (after: string | null) => Promise<string | null>,
): AsyncGenerator<string, void> {
  for (let shopId = await next(null); shopId !== null; shopId = await next(shopId)) yield shopId;
}

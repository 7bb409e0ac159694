/** The bytes of a response; null when they are more than `most`, of which the rest is not read. */
export async function bytesOf(response: Response, most: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // The types of Node and of browsers differ here.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

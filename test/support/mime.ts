import PostalMime, { decodeWords } from 'postal-mime';

/** An email as a mail program reads it (MIME, RFC 2045). */
export interface ReadEmail {
  /** Each header on one line. */
  readonly head: string;
  readonly text: string;
  readonly html: string;
}

/** @param raw the bytes of an email as `latin1` */
export async function readEmail(raw: string): Promise<ReadEmail> {
  const { headers, text = '', html = '' } = await PostalMime.parse(Buffer.from(raw, 'latin1'));
  // A line break in an encoded word is no new header.
  const lines = headers.map(
    ({ originalKey, value }) => `${originalKey}: ${decodeWords(value).replace(/[\r\n]+/g, ' ')}`,
  );
  return { head: lines.join('\n'), text, html };
}

/** An email as a mail program reads it (MIME, RFC 2045). */
export interface ReadEmail {
  /** The lines before the first empty one, each header on one line. */
  readonly head: string;
  readonly text: string;
  readonly html: string;
}

/** The raw text of an email, read as bytes (`latin1`). */
export function readEmail(raw: string): ReadEmail {
  const { head, parts } = partsOf(raw.replaceAll('\r\n', '\n'));
  const bodyOf = (type: string): string => parts.find(({ contentType }) => contentType === type)?.body ?? '';
  return { head: wordsOf(head), text: bodyOf('text/plain'), html: bodyOf('text/html') };
}

interface Part {
  readonly contentType: string;
  readonly body: string;
}

function partsOf(raw: string): { head: string; parts: Part[] } {
  const end = raw.indexOf('\n\n');
  const head = raw.slice(0, end).replace(/\n[ \t]+/g, ' ');
  const body = raw.slice(end + 2);
  const header = (name: string): string => new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1] ?? '';
  const [, boundary] = /boundary="?([^";]+)"?/.exec(header('content-type')) ?? [];
  if (boundary !== undefined) {
    const inner = body.split(`--${boundary}`).slice(1, -1);
    return { head, parts: inner.flatMap((part) => partsOf(part.replace(/^\n/, '')).parts) };
  }
  const [contentType = ''] = header('content-type').split(';');
  return { head, parts: [{ contentType, body: decoded(body, header('content-transfer-encoding')) }] };
}

/** Headers with their encoded words (RFC 2047) as text. A line break in a word is no new header. */
function wordsOf(head: string): string {
  return head
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, encoding: string, word: string) =>
      decoded(word.replaceAll('_', ' '), encoding.toUpperCase() === 'B' ? 'base64' : 'quoted-printable').replace(
        /[\r\n]+/g,
        ' ',
      ),
    );
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1').toString();
  const bytes = body
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

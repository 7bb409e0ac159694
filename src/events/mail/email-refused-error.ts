/** The mail server has refused an email with a permanent error (RFC 5321, 4.2.1: 5yz). */
export class EmailRefusedError extends Error {
  override readonly name = 'EmailRefused';
  /** The kind of the refusal in the SMTP library, such as `EENVELOPE`. */
  readonly code: string | undefined;

  /** @param isFinal whether another attempt is useless */
  constructor(
    cause: unknown,
    readonly isFinal: boolean,
  ) {
    super('The mail server refused the email', { cause });
    const { code } = cause as { readonly code?: unknown };
    this.code = typeof code === 'string' ? code : undefined;
  }
}

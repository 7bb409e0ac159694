/** A database or a backup cannot be read or filled. The message is a sentence that says what to do. */
export class TransferError extends Error {
  override readonly name = 'TransferError';
}

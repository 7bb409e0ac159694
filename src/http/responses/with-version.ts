import { fingerprintOf } from '../../domain/errors/require-version.js';

/**
 * A record with the version that `If-Match` compares. The `ETag` of its response has two parts: the version, which only a change of what the
 * shop says about the record changes, and a fingerprint of the response. So a sale does not stop an editor from saving, and a client
 * that has an older response never gets a 304.
 */
export class WithVersion<Data extends object> {
  constructor(
    readonly data: Data,
    private readonly version: string,
  ) {}

  get etag(): string {
    return `"${this.version}.${fingerprintOf(this.data)}"`;
  }
}

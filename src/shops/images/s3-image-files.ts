import { AppError } from '../../domain/errors/app-error.js';
import { whileOthersRun } from '../../http/throttling/request-slots.js';
import { type ImageStorage } from '../../infrastructure/config/image-storage.js';
import { bytesOf } from '../../lib/network/bytes-of.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { type ImageFiles, type ImageKey } from './image-files.js';
import { IMAGE_SIZES, type ImageSize } from './image.types.js';
import { signedHeaders } from './s3-signature.js';

/** Three of them, as an upload has, end before the deadline of a request. */
const STORAGE_TIMEOUT_MS = 3 * SECOND_MS;
/** More than any file of ours has. */
const MAX_FILE_BYTES = 8 * 2 ** 20;

const unavailable = (cause: unknown): AppError => new AppError('service_unavailable', { cause });

/** The files of images on storage that speaks S3. Whatever it returns besides what is expected is an outage, never a missing file. */
export class S3ImageFiles implements ImageFiles {
  constructor(private readonly storage: ImageStorage) {}

  async put(key: ImageKey, size: ImageSize, data: Buffer): Promise<void> {
    await this.request('PUT', key, size, [200, 201, 204], data);
  }

  async get(key: ImageKey, size: ImageSize): Promise<Buffer | null> {
    const { status, body } = await this.request('GET', key, size, [200, 404]);
    return status === 404 ? null : body;
  }

  async remove(key: ImageKey): Promise<void> {
    for (const size of IMAGE_SIZES) await this.request('DELETE', key, size, [200, 204, 404]);
  }

  private async request(
    method: 'GET' | 'PUT' | 'DELETE',
    { shopId, hash }: ImageKey,
    size: ImageSize,
    expected: readonly number[],
    data: Buffer = Buffer.alloc(0),
  ): Promise<{ readonly status: number; readonly body: Buffer }> {
    const url = new URL(`${this.storage.url}/${shopId}/${hash}/${size}.webp`);
    const type: Record<string, string> = method === 'PUT' ? { 'content-type': 'image/webp' } : {};
    const headers = signedHeaders({ method, url, body: data, at: new Date() }, this.storage, type);
    try {
      const { status, body } = await whileOthersRun(async () => {
        const response = await fetch(url, {
          ...{ method, headers, redirect: 'error' },
          ...(method === 'PUT' ? { body: new Uint8Array(data) } : {}),
          signal: AbortSignal.timeout(STORAGE_TIMEOUT_MS),
        });
        return { status: response.status, body: await bytesOf(response, MAX_FILE_BYTES) };
      });
      if (!expected.includes(status)) throw new Error(`The storage of images returned ${status}`);
      if (body === null) throw new Error('The storage of images returned more than a file of ours has');
      return { status, body };
    } catch (error) {
      throw unavailable(error);
    }
  }
}

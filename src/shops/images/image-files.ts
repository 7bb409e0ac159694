import { type ImageSize } from './image.types.js';

/** Names an image in the storage of files. */
export interface ImageKey {
  readonly shopId: string;
  readonly hash: string;
}

/** Where the files of images are kept: the database, or storage that speaks S3. The class is the token under which Nest injects it. */
export abstract class ImageFiles {
  /** Stores a file; an equal one may be there already. @throws AppError service_unavailable */
  abstract put(key: ImageKey, size: ImageSize, data: Buffer): Promise<void>;
  /** @returns null when there is no such file. @throws AppError service_unavailable */
  abstract get(key: ImageKey, size: ImageSize): Promise<Buffer | null>;
  /** Removes all files of an image; none need be there. @throws AppError service_unavailable */
  abstract remove(key: ImageKey): Promise<void>;
}

import { Injectable } from '@nestjs/common';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { type ImageFiles, type ImageKey } from './image-files.js';
import { ImageFilesRepository } from './image-files.repository.js';
import { type ImageSize } from './image.types.js';

/** The files of images in the database, each in a document of its own. */
@Injectable()
export class DatabaseImageFiles implements ImageFiles {
  constructor(
    private readonly files: ImageFilesRepository,
    private readonly transactions: Transactions,
  ) {}

  put(key: ImageKey, size: ImageSize, data: Buffer): Promise<void> {
    return this.transactions.run((transaction) => this.files.put(key, size, data, transaction));
  }

  get(key: ImageKey, size: ImageSize): Promise<Buffer | null> {
    return this.files.get(key, size);
  }

  remove(key: ImageKey): Promise<void> {
    return this.transactions.run((transaction) => this.files.remove(key, transaction));
  }
}

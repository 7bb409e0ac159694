import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type ImageKey } from './image-files.js';
import { IMAGE_FILE_MODEL, type ImageFileRecord } from './image.schema.js';
import { type ImageSize } from './image.types.js';

/** The files of images in the database. */
@Injectable()
export class ImageFilesRepository {
  constructor(@InjectModel(IMAGE_FILE_MODEL) private readonly files: Model<ImageFileRecord>) {}

  async put({ shopId, hash }: ImageKey, size: ImageSize, data: Buffer, transaction: Transaction): Promise<void> {
    const options = { upsert: true, session: transaction };
    await this.files.updateOne({ shopId, hash, size }, { $set: { data } }, options);
  }

  async get({ shopId, hash }: ImageKey, size: ImageSize): Promise<Buffer | null> {
    const record = await this.files.findOne({ shopId, hash, size }, { data: 1, _id: 0 }).lean();
    return record && bufferOf(record.data);
  }

  async remove({ shopId, hash }: ImageKey, transaction: Transaction): Promise<void> {
    await this.files.deleteMany({ shopId, hash }, { session: transaction });
  }
}

/** A lean record has the driver's `Binary`, whose type mongoose declares as `Buffer`. */
function bufferOf(data: Buffer | { readonly buffer: Uint8Array }): Buffer {
  return Buffer.isBuffer(data) ? data : Buffer.from(data.buffer);
}

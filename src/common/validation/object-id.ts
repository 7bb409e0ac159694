import { randomBytes } from 'node:crypto';
import { Injectable, type PipeTransform } from '@nestjs/common';
import { AppError } from '../errors/app-error.js';

/** An ObjectId in any case, as JSON Schema spells it. */
export const OBJECT_ID_PATTERN = '^[0-9a-fA-F]{24}$';
export const OBJECT_ID = new RegExp(OBJECT_ID_PATTERN);

/** Whether a text is an ObjectId: 24 hexadecimal digits. */
export function isObjectId(text: string): boolean {
  return OBJECT_ID.test(text);
}

/** A new ObjectId in the driver's layout (seconds, then random bytes): its time part keeps lists sortable by id. */
export function newObjectId(at: Date = new Date()): string {
  const seconds = Math.floor(at.getTime() / 1000)
    .toString(16)
    .padStart(8, '0');
  return seconds + randomBytes(8).toString('hex');
}

/** Checks an identifier in the path before any query sees it, and folds it to lower case. */
@Injectable()
export class ObjectIdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!isObjectId(value)) throw new AppError('malformed_id');
    return value.toLowerCase();
  }
}

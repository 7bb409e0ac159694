import { Injectable, type PipeTransform } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { isObjectId } from '../../lib/ids/object-id.js';

/** Checks an identifier in the path before any query uses it, and converts it to lower case. */
@Injectable()
export class ObjectIdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!isObjectId(value)) throw new AppError('malformed_id');
    return value.toLowerCase();
  }
}

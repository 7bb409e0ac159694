import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { type Request } from 'express';
import { type ExpectedVersions } from '../../domain/errors/require-version.js';
import { invalidInput } from '../../domain/errors/require-valid.js';
import { DocumentedErrors } from './documented-errors.decorator.js';

const ENTITY_TAG = /(?:W\/)?"([\x21\x23-\x7e]*)"/g;

/**
 * Reads `If-Match` (RFC 9110, 13.1.1). A version is what stands before the first dot of an `ETag` (`WithVersion`). A weak tag counts
 * too: proxies that compress responses make strong tags weak, and a version names the record, not the bytes of a response.
 * @throws AppError validation_failed
 */
export function expectedVersionsOf(header: string | undefined): ExpectedVersions {
  if (header === undefined || header.trim() === '*') return null;
  const tags = [...header.matchAll(ENTITY_TAG)].map(([, tag = '']) => tag);
  if (tags.length === 0 || /[^,\s]/.test(header.replace(ENTITY_TAG, ''))) {
    throw invalidInput(['If-Match must be the ETag of the record in its quotes, or *']);
  }
  return tags.map((tag) => tag.split('.', 1)[0] ?? '');
}

/** The versions that the request expects; null without `If-Match`. The route needs `@ChecksVersion()`. */
export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext): ExpectedVersions => {
  return expectedVersionsOf(context.switchToHttp().getRequest<Request>().headers['if-match']);
});

/** Documents a route that changes a record only in the version that the caller has read. */
export function ChecksVersion(): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'If-Match',
      required: false,
      description:
        'The `ETag` of the record as you have read it. When somebody has changed it since, nothing changes, and the response is a 412 ' +
        'whose `ETag` is the current version. Without this header the last write wins.',
      schema: { type: 'string', example: '"q1Zp0JxkS0mGf0c7cX1b9w.V7hXn6dXkq0s3yG2m8u4tA"' },
    }),
    DocumentedErrors('version_mismatch'),
  );
}

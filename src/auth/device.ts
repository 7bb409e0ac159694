import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';

const MAX_LENGTH = 200;

/** The `User-Agent` header, cut to 200 printable characters; null when it is empty or absent. */
export function describeDevice(userAgent: string | undefined): string | null {
  const printable = (userAgent ?? '').replace(/[^\x20-\x7e]+/g, ' ').trim();
  return printable === '' ? null : printable.slice(0, MAX_LENGTH);
}

/** The device of a request, so that its owner can recognise it in the list of sessions. */
export const Device = createParamDecorator((_: unknown, context: ExecutionContext): string | null =>
  describeDevice(context.switchToHttp().getRequest<Request>().headers['user-agent']),
);

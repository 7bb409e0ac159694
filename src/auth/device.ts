import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';

const MAX_LENGTH = 200;

/** What a client says of itself in `User-Agent`, cut to 200 printable characters; null when it says nothing. */
export function describeDevice(userAgent: string | undefined): string | null {
  const printable = (userAgent ?? '').replace(/[^\x20-\x7e]+/g, ' ').trim();
  return printable === '' ? null : printable.slice(0, MAX_LENGTH);
}

/** The device that a request comes from, as its owner may recognise it in the list of sessions. */
export const Device = createParamDecorator((_: unknown, context: ExecutionContext): string | null =>
  describeDevice(context.switchToHttp().getRequest<Request>().headers['user-agent']),
);

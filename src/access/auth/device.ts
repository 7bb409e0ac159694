import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { type Language } from '../../lib/formats/languages.js';
import { languageOf } from '../../http/requests/language-of.js';

const MAX_LENGTH = 200;

/** The `User-Agent` header, cut to 200 printable characters; null when it is empty or absent. */
export function describeDevice(userAgent: string | undefined): string | null {
  const printable = (userAgent ?? '').replace(/[^\x20-\x7e]+/g, ' ').trim();
  return printable === '' ? null : printable.slice(0, MAX_LENGTH);
}

/** Where a request comes from. */
export interface ClientDevice {
  /** The description by which its owner recognises it (`describeDevice`). */
  readonly name: string | null;
  readonly address: string | undefined;
  /** The language that its browser requests. */
  readonly language: Language;
}

export function deviceOf(request: Request): ClientDevice {
  const { headers, ip } = request;
  return { name: describeDevice(headers['user-agent']), address: ip, language: languageOf(request, null) };
}

/** The device of a request. */
export const Device = createParamDecorator((_: unknown, context: ExecutionContext): ClientDevice =>
  deviceOf(context.switchToHttp().getRequest<Request>()),
);

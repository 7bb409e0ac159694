import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { AppError } from '../../domain/errors/app-error.js';
import { readImage } from '../../http/requests/body-parsers.js';
import { closed } from '../../http/throttling/closed.js';
import { whileOthersRun } from '../../http/throttling/request-slots.js';

/** How many images a process has in memory at once, while they arrive and until their responses are sent: 80 MB. */
const MOST = 16;
const MOST_OF_PERSON = 2;

const tooMany = (whose: string, most: number): AppError =>
  new AppError('too_many_at_once', {
    message: `At most ${most} images of ${whose} are uploaded at once`,
    headers: { 'Retry-After': '5' },
  });

/**
 * Reads the body of an upload. It is the last guard, because an image is larger than other bodies: only callers who may upload it get memory
 * for it, and while it arrives its request leaves its slot to others.
 */
@Injectable()
export class ImageBodyGuard implements CanActivate {
  private readonly persons: string[] = [];

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    const person = request.auth?.userId ?? '';
    const running = this.persons.filter((other) => other === person).length;
    if (running >= MOST_OF_PERSON) throw tooMany('one person', MOST_OF_PERSON);
    if (this.persons.length >= MOST) throw tooMany('all persons together', MOST);
    this.persons.push(person);
    void closed(request, response).then(() => {
      this.persons.splice(this.persons.indexOf(person), 1);
    });
    await whileOthersRun(() => readImage(request, response));
    return true;
  }
}

/** The bytes of the image in the body; empty without a body. */
export const ImageBytes = createParamDecorator((_: unknown, context: ExecutionContext): Buffer => {
  const { body } = context.switchToHttp().getRequest<{ readonly body?: unknown }>();
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
});

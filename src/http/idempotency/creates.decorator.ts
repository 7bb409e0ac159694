import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { type Creation, newCreation } from '../../infrastructure/idempotency/creation.js';

/** The creation of a request, for the routes that take an `Idempotency-Key`. */
export const Creates = createParamDecorator(
  (_: unknown, context: ExecutionContext): Creation =>
    context.switchToHttp().getRequest<Request>().creation ?? newCreation(),
);

declare global {
  // Express' own way to type what middleware attaches to a request.
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    interface Request {
      creation?: Creation;
    }
  }
}

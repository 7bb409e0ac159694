import { Reflector } from '@nestjs/core';

/** Whether the answer of a route is never kept, because it shows a secret that exists nowhere else. */
export const ShowsSecretOnce = Reflector.createDecorator<boolean>();

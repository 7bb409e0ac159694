import { Reflector } from '@nestjs/core';
import { type LimitName } from './limits.js';

/** A limit of a route: on a public route it stands in place of `anonymous`, elsewhere beside the caller's own. */
export const RateLimit = Reflector.createDecorator<LimitName>();

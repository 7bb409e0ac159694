import { All } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { Public } from '../../http/routes/access.decorators.js';
import { PAGES } from '../hosts/page-routing.js';
import { StorefrontController } from './storefront-controller.decorator.js';

/** Every path of a host at which nothing is. The last controller of the pages: the first match counts. */
@StorefrontController(Object.values(PAGES))
export class NowhereController {
  @All(['', '*path'])
  @Public()
  nothing(): never {
    throw new AppError('page_not_found');
  }
}

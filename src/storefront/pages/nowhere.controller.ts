import { All, Controller, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AppError } from '../../domain/errors/app-error.js';
import { Public } from '../../http/routes/access.decorators.js';
import { PAGES } from '../hosts/page-routing.js';
import { StorefrontErrorFilter } from './storefront-error.filter.js';

/** Every path of a host at which nothing is. The last controller of the pages: the first match counts. */
@ApiExcludeController()
@Controller(Object.values(PAGES))
@UseFilters(StorefrontErrorFilter)
export class NowhereController {
  @All(['', '*path'])
  @Public()
  nothing(): never {
    throw new AppError('page_not_found');
  }
}

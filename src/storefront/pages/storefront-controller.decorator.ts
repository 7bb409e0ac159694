import { applyDecorators, Controller, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { StorefrontErrorFilter } from './storefront-error.filter.js';

/**
 * A controller of the storefront: its errors are pages too.
 * @param path of its routes, which begins with one of `PAGES`; several: its routes are below each
 */
export function StorefrontController(path: string | string[]): ClassDecorator {
  return applyDecorators(ApiExcludeController(), Controller(path), UseFilters(StorefrontErrorFilter));
}

import { applyDecorators, Controller, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { PageErrorFilter } from './page-error.filter.js';
import { type PageOfRequest, PagePath, PageSessionGuard } from './page-session.guard.js';

/**
 * A controller of pages for people: HTML instead of the API's JSON, also for errors.
 * @param path of its routes below the prefix of the API
 * @param pageOf the path of the page of a request; without it, the controller has one page, at `path`
 */
export function PageController(path: string, pageOf: PageOfRequest = () => path): ClassDecorator {
  return applyDecorators(
    ApiExcludeController(),
    Controller(path),
    PagePath(pageOf),
    UseGuards(PageSessionGuard),
    UseFilters(PageErrorFilter),
  );
}

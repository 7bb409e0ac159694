import { Body, Get, Param, Post, Res } from '@nestjs/common';
import { type Response } from 'express';
import { Public } from '../../http/routes/access.decorators.js';
import { PAGE_PATHS } from '../../http/addresses/page-links.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { send } from './page-response.js';
import { PageController } from './page-controller.decorator.js';
import { type FormFields } from './page-form.js';
import { OpensPage } from './page-session.guard.js';
import { PasswordPagesService } from './password-pages.service.js';
import { CurrentVisit, type Visit } from './visit.js';

/** The page that sets a new password. */
@PageController(PAGE_PATHS.passwordResets)
export class PasswordPagesController {
  constructor(private readonly pages: PasswordPagesService) {}

  @Get(':token')
  @Public()
  @OpensPage(true)
  async open(@Param('token') token: string, @Res() response: Response): Promise<void> {
    await send(response, await this.pages.open(token));
  }

  @Get()
  @Public()
  async show(@CurrentVisit() visit: Visit, @Res() response: Response): Promise<void> {
    await send(response, await this.pages.show(visit));
  }

  @Post()
  @Public()
  @RateLimit('verificationCode')
  async reset(@CurrentVisit() visit: Visit, @Body() form: FormFields, @Res() response: Response): Promise<void> {
    await send(response, await this.pages.reset(visit, form));
  }
}

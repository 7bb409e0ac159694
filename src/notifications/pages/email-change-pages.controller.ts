import { Get, Param, Post, Res } from '@nestjs/common';
import { type Response } from 'express';
import { PAGE_PATHS } from '../../http/addresses/page-links.js';
import { Public } from '../../http/routes/access.decorators.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { EmailChangePagesService } from './email-change-pages.service.js';
import { PageController } from './page-controller.decorator.js';
import { send } from './page-response.js';
import { OpensPage } from './page-session.guard.js';
import { CurrentVisit, type Visit } from './visit.js';

/** The page that confirms a new email address. */
@PageController(PAGE_PATHS.emailChanges)
export class EmailChangePagesController {
  constructor(private readonly pages: EmailChangePagesService) {}

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
  async confirm(@CurrentVisit() visit: Visit, @Res() response: Response): Promise<void> {
    await send(response, await this.pages.confirm(visit));
  }
}

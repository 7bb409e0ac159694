import { Body, Get, Param, Post, Res } from '@nestjs/common';
import { type Response } from 'express';
import { Public } from '../../http/routes/access.decorators.js';
import { PAGE_PATHS } from '../../http/addresses/page-links.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { INVITATION_ACTIONS, InvitationPagesService } from './invitation-pages.service.js';
import { send } from './page-response.js';
import { PageController } from './page-controller.decorator.js';
import { type FormFields } from './page-form.js';
import { OpensPage } from './page-session.guard.js';
import { CurrentVisit, type Visit } from './visit.js';

/** The page of an invitation. */
@PageController(PAGE_PATHS.invitations)
export class InvitationPagesController {
  constructor(private readonly pages: InvitationPagesService) {}

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

  @Post(INVITATION_ACTIONS.accept)
  @Public()
  @RateLimit('login')
  async accept(@CurrentVisit() visit: Visit, @Body() form: FormFields, @Res() response: Response): Promise<void> {
    await send(response, await this.pages.reply(visit, 'accept', form));
  }

  @Post(INVITATION_ACTIONS.decline)
  @Public()
  @RateLimit('login')
  async decline(@CurrentVisit() visit: Visit, @Body() form: FormFields, @Res() response: Response): Promise<void> {
    await send(response, await this.pages.reply(visit, 'decline', form));
  }

  @Post(INVITATION_ACTIONS.register)
  @Public()
  @RateLimit('login')
  async register(@CurrentVisit() visit: Visit, @Body() form: FormFields, @Res() response: Response): Promise<void> {
    await send(response, await this.pages.register(visit, form));
  }
}

import { Body, Get, Param, Post, Query, Res } from '@nestjs/common';
import { type Response } from 'express';
import { Public } from '../../http/routes/access.decorators.js';
import { PAGE_PATHS } from '../../http/addresses/page-links.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { ORDER_ACTIONS, orderPath, OrderPagesService } from './order-pages.service.js';
import { send } from './page-response.js';
import { PageController } from './page-controller.decorator.js';
import { type FormFields } from './page-form.js';
import { OpensPage } from './page-session.guard.js';
import { CurrentVisit, type Visit } from './visit.js';

/** The pages of buyers. */
@PageController(PAGE_PATHS.orders, ({ orderId }) => orderPath(String(orderId)))
export class OrderPagesController {
  constructor(private readonly pages: OrderPagesService) {}

  @Get(':orderId/:secret')
  @Public()
  @OpensPage(true)
  open(@Param('orderId') orderId: string, @Param('secret') secret: string, @Res() response: Response): Promise<void> {
    return send(response, this.pages.open(orderId, secret));
  }

  @Get(':orderId')
  @Public()
  async show(
    @CurrentVisit() visit: Visit,
    @Query('done') done: string | undefined,
    @Query('form') form: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    await send(response, await this.pages.show(visit, done, form));
  }

  @Post(`:orderId/${ORDER_ACTIONS.pay}`)
  @Public()
  async pay(@CurrentVisit() visit: Visit, @Body() form: FormFields, @Res() response: Response): Promise<void> {
    await send(response, await this.pages.pay(visit, form));
  }

  @Post(`:orderId/${ORDER_ACTIONS.requestCode}`)
  @Public()
  @RateLimit('verificationCode')
  async requestCode(@CurrentVisit() visit: Visit, @Res() response: Response): Promise<void> {
    await send(response, await this.pages.requestCode(visit));
  }

  @Post(`:orderId/${ORDER_ACTIONS.rename}`)
  @Public()
  @RateLimit('verificationCode')
  async rename(@CurrentVisit() visit: Visit, @Body() form: FormFields, @Res() response: Response): Promise<void> {
    await send(response, await this.pages.rename(visit, form));
  }
}

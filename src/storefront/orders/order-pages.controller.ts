import { Body, Get, Param, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Public } from '../../http/routes/access.decorators.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { type FormFields } from '../../notifications/pages/page-form.js';
import { send } from '../../notifications/pages/page-response.js';
import { FormGuard } from '../hosts/form.guard.js';
import { PAGES } from '../hosts/page-routing.js';
import { StorefrontController } from '../pages/storefront-controller.decorator.js';
import { ORDER_ACTIONS, OrderPagesService } from './order-pages.service.js';
import { OrderVisitsService } from './order-visits.service.js';
import { WithdrawalPagesService } from './withdrawal-pages.service.js';

/** The page of an order, for whoever has placed it or has its email. Nothing of it is stored: the secret opens it for two hours. */
@StorefrontController(`${PAGES.shop}/orders`)
@UseGuards(FormGuard)
export class OrderPagesController {
  constructor(
    private readonly visits: OrderVisitsService,
    private readonly pages: OrderPagesService,
    private readonly withdrawals: WithdrawalPagesService,
  ) {}

  @Get(`:orderId/${ORDER_ACTIONS.withdrawal}`)
  @Public()
  async showWithdrawal(
    @Param('orderId') orderId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await send(response, await this.withdrawals.show(await this.visits.of(request, response, orderId)));
  }

  @Post(`:orderId/${ORDER_ACTIONS.withdrawal}`)
  @Public()
  async withdraw(
    @Param('orderId') orderId: string,
    @Body() form: FormFields | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const visit = await this.visits.of(request, response, orderId);
    const fields = { ...form, items: request.form?.getAll('items') ?? [] };
    await send(response, await this.withdrawals.confirm(visit, fields));
  }

  /** Also the path of a form whose response a browser loads again: then the page is open already. */
  @Get(':orderId/:secret')
  @Public()
  async open(
    @Param('orderId') orderId: string,
    @Param('secret') secret: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    response.set('Referrer-Policy', 'no-referrer');
    const isForm = Object.values<string>(ORDER_ACTIONS).includes(secret);
    const path = isForm
      ? (await this.visits.of(request, response, orderId)).path
      : await this.visits.open(request, response, orderId, secret);
    response.redirect(303, path);
  }

  @Get(':orderId')
  @Public()
  async show(
    @Param('orderId') orderId: string,
    @Query('done') done: string | undefined,
    @Query('form') form: string | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const visit = await this.visits.of(request, response, orderId);
    await send(response, await this.pages.show(visit, done, form));
  }

  @Post(`:orderId/${ORDER_ACTIONS.pay}`)
  @Public()
  async pay(
    @Param('orderId') orderId: string,
    @Body() form: FormFields | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await send(response, await this.pages.pay(await this.visits.of(request, response, orderId), form ?? {}));
  }

  @Post(`:orderId/${ORDER_ACTIONS.requestCode}`)
  @Public()
  @RateLimit('verificationCode')
  async requestCode(
    @Param('orderId') orderId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await send(response, await this.pages.requestCode(await this.visits.of(request, response, orderId)));
  }

  @Post(`:orderId/${ORDER_ACTIONS.rename}`)
  @Public()
  @RateLimit('verificationCode')
  async rename(
    @Param('orderId') orderId: string,
    @Body() form: FormFields | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await send(response, await this.pages.rename(await this.visits.of(request, response, orderId), form ?? {}));
  }
}

import { Body, Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Public } from '../../http/routes/access.decorators.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { type FormFields } from '../../notifications/pages/page-form.js';
import { FormGuard } from '../hosts/form.guard.js';
import { PAGES } from '../hosts/page-routing.js';
import { OrderVisitsService } from '../orders/order-visits.service.js';
import { ShopVisitsService } from '../pages/shop-visits.service.js';
import { StorefrontController } from '../pages/storefront-controller.decorator.js';
import { sendPage } from '../pages/storefront-page.js';
import { BasketFormsService } from './basket-forms.service.js';
import { BasketPagesService } from './basket-pages.service.js';

/** The basket of a visitor, and the way to an order. A form is answered with a page, or leads to one (303). */
@StorefrontController(PAGES.shop)
@UseGuards(FormGuard)
export class BasketController {
  constructor(
    private readonly visits: ShopVisitsService,
    private readonly forms: BasketFormsService,
    private readonly pages: BasketPagesService,
    private readonly orders: OrderVisitsService,
  ) {}

  @Post('basket/items')
  @Public()
  async add(@Body() form: FormFields | undefined, @Req() request: Request, @Res() response: Response): Promise<void> {
    const context = await this.visits.openOf(request, response);
    const basket = this.forms.add(context, form ?? {});
    this.forms.keep(request, response, context, basket);
    response.redirect(303, `${context.visit.base}/${basket.nickname === '' ? 'name' : 'basket'}`);
  }

  @Get('name')
  @Public()
  @RateLimit('publicShop')
  async name(@Req() request: Request, @Res() response: Response): Promise<void> {
    const context = await this.visits.openOf(request, response);
    await sendPage(request, response, this.pages.name(context, context.basket, null));
  }

  @Post('name')
  @Public()
  async rename(
    @Body() form: FormFields | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const context = await this.visits.openOf(request, response);
    const basket = this.forms.named(context, form ?? {});
    if (!this.pages.isName(context, basket.nickname)) {
      await sendPage(request, response, this.pages.name(context, basket, basket.nickname));
      return;
    }
    this.forms.keep(request, response, context, basket);
    response.redirect(303, `${context.visit.base}/basket`);
  }

  @Get('basket')
  @Public()
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const context = await this.visits.openOf(request, response);
    const assessed = await this.forms.seen(request, context);
    await sendPage(request, response, this.pages.basket(context, assessed));
  }

  @Post('basket')
  @Public()
  async change(
    @Body() form: FormFields | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const context = await this.visits.openOf(request, response);
    const assessed = await this.forms.changed(request, context, form ?? {});
    this.forms.keep(request, response, context, assessed.basket);
    await sendPage(request, response, this.pages.basket(context, assessed));
  }

  @Post('checkout')
  @Public()
  @RateLimit(['anonymous', 'checkoutAddress'])
  async pay(@Body() form: FormFields | undefined, @Req() request: Request, @Res() response: Response): Promise<void> {
    const context = await this.visits.openOf(request, response);
    const result = await this.forms.pay(request, context, form ?? {}, (orderId) =>
      this.orders.addressOf(request, context, orderId),
    );
    this.forms.keep(request, response, context, result.basket);
    if ('page' in result) {
      await sendPage(request, response, result.page);
      return;
    }
    const { path } = this.orders.allow(request, response, context, result.orderId);
    if (result.paymentUrl === null) response.redirect(303, path);
    else await sendPage(request, response, this.pages.forward(context, result.paymentUrl, path));
  }

  @Get('find-order')
  @Public()
  @RateLimit('publicShop')
  async find(@Req() request: Request, @Res() response: Response): Promise<void> {
    const context = await this.visits.of(request, response);
    await sendPage(request, response, await this.pages.findOrder(context, null));
  }

  @Post('find-order')
  @Public()
  @RateLimit('verificationCode')
  async sendLinks(
    @Body() form: FormFields | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const context = await this.visits.of(request, response);
    await sendPage(request, response, await this.pages.findOrder(context, form ?? {}));
  }
}

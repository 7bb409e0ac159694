import { describe, expect, it } from '@jest/globals';
import { RequestMethod } from '@nestjs/common';
import { methodsByPath } from './method-not-allowed.js';

const { GET, POST, PATCH } = RequestMethod;

describe('methodsByPath', () => {
  it('joins paths that differ only in the names of parameters, and adds HEAD to GET', () => {
    expect(
      methodsByPath([
        { path: '/shops/:shopId', method: GET },
        { path: '/shops/:id', method: PATCH },
      ]),
    ).toEqual([{ path: '/shops/:shopId', methods: ['GET', 'HEAD', 'PATCH'] }]);
  });

  it('lists the path with the later parameter first, so that a fixed segment wins over a parameter', () => {
    expect(
      methodsByPath([
        { path: '/discounts/:shopId/:discountId', method: GET },
        { path: '/discounts/:shopId/validate', method: POST },
        { path: '/:area/public/list', method: GET },
      ]).map(({ path }) => path),
    ).toEqual(['/discounts/:shopId/validate', '/discounts/:shopId/:discountId', '/:area/public/list']);
  });

  it('adds the methods of a parameter that can be any word, but not those of an id', () => {
    expect(
      methodsByPath([
        { path: '/pages/:orderId/payment', method: POST },
        { path: '/pages/:orderId/:secret', method: GET },
        { path: '/discounts/validate', method: POST },
        { path: '/discounts/:discountId', method: GET },
      ]),
    ).toEqual([
      { path: '/discounts/validate', methods: ['POST'] },
      { path: '/discounts/:discountId', methods: ['GET', 'HEAD'] },
      { path: '/pages/:orderId/payment', methods: ['GET', 'HEAD', 'POST'] },
      { path: '/pages/:orderId/:secret', methods: ['GET', 'HEAD'] },
    ]);
  });
});

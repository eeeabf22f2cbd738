import { expect } from 'chai';
import { checkResponse, routeOf } from './response-check.js';

describe('the check of answers', () => {
  const tokens = { accessToken: 'a', refreshToken: 'r', tokenType: 'Bearer', expiresIn: 3600 };
  const refusal = { statusCode: 404, message: 'project not found', error: 'Not Found' };
  const check = (status: number, body: unknown) => () => checkResponse('POST', '/auth/refresh?x=1', status, body);

  it('finds the route of a request', () => {
    expect(routeOf('GET', '/v1/projects/proj_1/apps/app_1?limit=2')?.path).to.equal('/v1/projects/:id/apps/:appId');
    expect(routeOf('PUT', '/v1/projects')).to.equal(undefined);
  });
  it('lets a documented response pass', () => {
    expect(check(200, tokens)).not.to.throw();
    expect(check(404, refusal)).not.to.throw();
  });
  it('catches a field that is not documented', () =>
    expect(check(200, { ...tokens, scope: 'all' })).to.throw('another form'));
  it('catches a missing field', () => expect(check(200, { ...tokens, expiresIn: undefined })).to.throw('another form'));
  it('catches a success with another status', () => expect(check(201, tokens)).to.throw('not documented'));
  it('catches an undocumented status', () =>
    expect(check(422, { ...refusal, statusCode: 422 })).to.throw('not documented'));
  it('catches a refusal with a fourth field', () =>
    expect(check(404, { ...refusal, requestId: 'req_1' })).to.throw('more than three'));
  it('catches a refusal that names another status', () =>
    expect(check(404, { ...refusal, error: 'Bad Request' })).to.throw('404'));
});

type RequestID = number | string;

/**
 * Stands between the client's ids and those of vscode-jsonrpc, which keys its queue by the id's text: there `0` and
 * `"0"` in one tick are the same request, and one of them is never answered.
 */
export class RequestIds {
  private readonly open = new Map<number, RequestID>();
  private next = 1;

  /** How many requests are not answered yet. */
  get size(): number {
    return this.open.size;
  }

  take(id: RequestID): number {
    const own = this.next++;
    this.open.set(own, id);
    return own;
  }

  original(own: number): RequestID | undefined {
    return this.open.get(own);
  }

  release(own: number): void {
    this.open.delete(own);
  }
}

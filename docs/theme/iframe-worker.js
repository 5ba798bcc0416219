// SPDX-License-Identifier: Apache-2.0
// Browsers start no worker for a page opened from a file. There, the site's search runs in a hidden frame instead.
// The offline plugin accepts this file in place of its own script because of its name.
if (location.protocol === "file:")
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = inside.document.createElement("script");
      this.sending = new Promise((loaded) => (script.onload = () => loaded(inside)));
      script.src = url;
      inside.document.body.append(script);
    }
    postMessage(data) {
      this.sending.then((inside) => inside.dispatchEvent(new MessageEvent("message", { data })));
    }
  };

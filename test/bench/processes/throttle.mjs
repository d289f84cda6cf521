/** Makes a client read no faster than so many bytes a second. */
export function throttle(socket, tcp, bytesPerSecond) {
  const start = performance.now();
  const before = tcp.bytesRead;
  const timer = setInterval(() => {
    const allowed = ((performance.now() - start) / 1000) * bytesPerSecond;
    if (tcp.bytesRead - before > allowed) socket.pause();
    else socket.resume();
  }, 5);
  socket.on("close", () => clearInterval(timer));
}

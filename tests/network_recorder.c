/* Preloaded into a process: writes every look-up of a name and every send or connection to the file that
   NETWORK_LOG names, and refuses it, so that nothing leaves and native libraries are seen as Python is. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static void note(const char *call, const char *name) {
  char line[512];
  int length = snprintf(line, sizeof line, "%s %.400s\n", call, name ? name : "");
  int file = open(getenv("NETWORK_LOG"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || write(file, line, length) != length) abort();
  close(file);
}

static int refused(const char *call) {
  note(call, "");
  errno = ENETUNREACH;
  return -1;
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
  note("getaddrinfo", name);
  return EAI_FAIL;
}

struct hostent *gethostbyname(const char *name) {
  note("gethostbyname", name);
  return NULL;
}

struct hostent *gethostbyname2(const char *name, int family) {
  note("gethostbyname2", name);
  return NULL;
}

int gethostbyname_r(const char *name, struct hostent *entry, char *space, size_t size, struct hostent **found,
                    int *error) {
  note("gethostbyname_r", name);
  *found = NULL;
  *error = NO_RECOVERY;
  return ENOENT;
}

int res_query(const char *name, int class, int type, unsigned char *answer, int size) {
  note("res_query", name);
  return -1;
}

int connect(int socket, const struct sockaddr *to, socklen_t size) { return refused("connect"); }

ssize_t sendto(int socket, const void *data, size_t size, int flags, const struct sockaddr *to, socklen_t length) {
  return to ? refused("sendto") : send(socket, data, size, flags);
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags) { return refused("sendmsg"); }

int sendmmsg(int socket, struct mmsghdr *messages, unsigned int count, int flags) { return refused("sendmmsg"); }

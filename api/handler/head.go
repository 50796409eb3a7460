package handler

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
)

type keyHead struct{}

// Server serves the engine, and HEAD wherever a call of the API serves GET (RFC 9110, section 9.3.2): the call runs once, as GET with all
// its checks. net/http knows the sent method and omits the body. Pages and stores serve HEAD themselves.
type Server struct{ Engine *gin.Engine }

// ServeHTTP serves one request.
func (s Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodHead && strings.HasPrefix(r.URL.Path, "/api/") {
		r = r.WithContext(context.WithValue(r.Context(), keyHead{}, true))
		r.Method = http.MethodGet
	}
	s.Engine.ServeHTTP(w, r)
}

// methodOf returns the method that was sent.
func methodOf(r *http.Request) string {
	if r.Context().Value(keyHead{}) != nil {
		return http.MethodHead
	}
	return r.Method
}

// allowHead adds HEAD to the methods of a 405 where GET is one of them.
func allowHead(h http.Header) {
	methods := strings.Split(h.Get("Allow"), ", ")
	if slices.Contains(methods, http.MethodGet) && !slices.Contains(methods, http.MethodHead) {
		h.Set("Allow", strings.Join(append(methods, http.MethodHead), ", "))
	}
}

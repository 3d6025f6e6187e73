import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.List;
import org.hibernate.annotations.ColumnDefault;
import org.hibernate.annotations.CreationTimestamp;
import org.hibernate.annotations.Generated;
import org.hibernate.cfg.Configuration;

/** Hibernate's hbm2ddl "update", and entities with generated values, over a URL. */
public final class Hibernate {
  @Entity(name = "Author")
  public static class Author {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    public Long id;

    @Column(unique = true)
    public String name;

    @CreationTimestamp public Instant created;
  }

  @Entity(name = "Book")
  public static class Book {
    @Id
    @GeneratedValue(strategy = GenerationType.SEQUENCE)
    public Long id;

    public String title;
    @ManyToOne public Author author;
    @Version public int version;

    @Generated
    @ColumnDefault("now()")
    public Instant made;
  }

  public static void main(String[] arguments) {
    for (int round = 1; round <= 2; round++) {
      Configuration configuration =
          new Configuration().addAnnotatedClass(Author.class).addAnnotatedClass(Book.class);
      configuration
          .setProperty("hibernate.connection.url", arguments[0])
          .setProperty("hibernate.connection.username", "bench")
          .setProperty("hibernate.connection.password", "bench")
          .setProperty("hibernate.hbm2ddl.auto", "update")
          // The shards share out a sequence: each has the increment times their number.
          .setProperty("hibernate.id.sequence.increment_size_mismatch_strategy", "LOG")
          .setProperty("hibernate.jdbc.batch_size", "10");
      String name = "author " + round;
      long books = 2L * round;
      try (var factory = configuration.buildSessionFactory()) {
        factory.inTransaction(
            session -> {
              Author author = new Author();
              author.name = name;
              session.persist(author);
              for (int i = 0; i < 3; i++) {
                Book book = new Book();
                book.title = "title " + i;
                book.author = author;
                session.persist(book);
              }
            });
        factory.inTransaction(
            session -> {
              List<Book> found =
                  session
                      .createQuery("from Book b where b.author.name = :n order by b.id", Book.class)
                      .setParameter("n", name)
                      .getResultList();
              found.get(0).title = "new";
              session.remove(found.get(1));
            });
        factory.inTransaction(
            session -> {
              long count =
                  session.createQuery("select count(*) from Book", Long.class).getSingleResult();
              if (count != books) {
                throw new IllegalStateException(count + " books");
              }
            });
      }
    }
  }
}
